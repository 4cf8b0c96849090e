/** What the app says of itself as a whole. */
export const installedMessages = {
  ready: 'Ready to work without a network',
} as const
