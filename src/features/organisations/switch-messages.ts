import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of a tab after another tab opened another organisation. */
export const switchMessages = {
  title: (active: string) => `${active} was opened in another tab`,
  text: (left: string) =>
    `All tabs work in the same organisation, so ${left} is no longer open here. What you began is still on this device.`,
  goOn: (active: string) => `Continue in ${active}`,
  switchBack: (left: string) => `Switch back to ${left}`,
} as const satisfies Messages
