const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const spaced = (word: string) => word.replaceAll('-', ' ')

/** What the states of plans, initiatives, actions and accounts are called, known ones and others. */
export const statusMessages = {
  status: spaced,
  statusOption: (status: string) => capitalised(spaced(status)),
  health: (health: string) => capitalised(spaced(health)),
} as const
