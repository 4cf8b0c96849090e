import { answerQuery } from '../../data/record-queries.ts'

/** What the signed-in user wants to be mailed. */
export const consentsQuery = () => answerQuery('getNotificationConsents', {})
