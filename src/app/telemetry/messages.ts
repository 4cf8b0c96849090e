import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the consent to usage statistics. */
export const telemetryMessages = {
  title: 'May we collect usage statistics?',
  question:
    'Which screens are opened, and how fast they load. Never what you write or who you are.',
  accept: 'Accept',
  decline: 'Decline',
  /** Shown after either choice. */
  chosen: 'You can change this in the settings under “This device”.',

  privacy: 'Privacy',
  count: 'Share usage statistics',
  countHint:
    'Which screens are opened on this device, and how fast they load. Never what you write or who you are.',
} as const satisfies Messages
