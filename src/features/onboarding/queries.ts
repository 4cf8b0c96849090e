import type { Onboarding } from '../../../contract/settings.ts'
import { endpointQuery } from '../../sync/queries.ts'

/** How far the signed-in user came in setting up. */
export const onboardingQuery = () => endpointQuery<Onboarding>('getOnboarding', {})
