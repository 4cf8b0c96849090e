import type { Messages } from '../../../contract/text/catalogue.ts'

const whenSent = (people: number) =>
  `It is sent when ${people === 1 ? 'that person signs' : 'they sign'} in here.`

/** Texts of the sign-in screen about unsent changes on the device. */
export const waitingMessages = {
  forcedTitle: 'You were signed out',
  forced: 'Your sign-in was no longer valid. Sign in again to continue where you were.',
  silent: (days: number) =>
    `This device had no contact with the server for ${days} days, so it removed its downloaded data and its drafts, as chosen in the profile. Sign in to download the data again.`,
  waitingForYou: (waiting: number) =>
    `${waiting} ${waiting === 1 ? 'update is' : 'updates are'} waiting on this device for you`,
  /** `also`: besides updates of the user who was here last. Without one, that user may be among them. */
  others: (people: number, also: boolean) =>
    also
      ? `Work by ${people === 1 ? 'another person' : `${people} other people`} is also waiting on this device. ${whenSent(people)}`
      : `Unsent work by ${people === 1 ? 'one person' : `${people} people`} is waiting on this device. ${whenSent(people)}`,
} as const satisfies Messages
