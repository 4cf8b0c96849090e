import type { Onboarding } from '../../../contract/schemas/settings.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** The signed-in user's onboarding progress. */
export const onboardingQuery = () => endpointQuery<Onboarding>('getOnboarding', {})
