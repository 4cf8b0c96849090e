import { answerQuery } from '../../data/record-queries.ts'

/** The signed-in user's onboarding progress. */
export const onboardingQuery = () => answerQuery('getOnboarding', {})
