import { answerQuery } from '../../data/record-queries.ts'

/** How far the signed-in user came in setting up. */
export const onboardingQuery = () => answerQuery('getOnboarding', {})
