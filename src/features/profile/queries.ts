import { answerQuery } from '../../data/record-queries.ts'

/** Which e-mails the signed-in user wants. */
export const consentsQuery = () => answerQuery('getNotificationConsents', {})
