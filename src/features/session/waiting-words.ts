/** What signing in says of what waits on the device. */
export const waitingMessages = {
  forcedTitle: 'You were signed out',
  forced: 'Your sign-in was no longer valid. Sign in again to go on where you were.',
  waits: (waiting: number) =>
    `${waiting} ${waiting === 1 ? 'update waits' : 'updates wait'} on this device for you`,
  others: (people: number, also: boolean) =>
    `Work of ${people === 1 ? 'another person' : `${people} other people`} ${also ? 'also waits' : 'waits'} on this device, sealed. It is sent when ${people === 1 ? 'that person signs' : 'they sign'} in here.`,
} as const
