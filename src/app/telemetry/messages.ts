/** What is asked and said about being counted. */
export const telemetryMessages = {
  title: 'May we count how Cairn is used?',
  question:
    'Which screens are opened, and how fast they are. Never what you write, and not who you are.',
  accept: 'Accept',
  decline: 'Decline',
  /** The same words for either choice. */
  chosen: 'You can change this in the settings, under “This device”.',

  privacy: 'Privacy',
  count: 'Count what is opened',
  countHint:
    'Which screens are opened on this device, and how fast. Never what you write, and not who you are.',
} as const
