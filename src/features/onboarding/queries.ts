import type { Onboarding } from '../../../contract/schemas/settings.ts'
import { endpointQuery } from '../../sync/react/query-options.ts'

/** How far the signed-in user came in setting up. */
export const onboardingQuery = () => endpointQuery<Onboarding>('getOnboarding', {})
