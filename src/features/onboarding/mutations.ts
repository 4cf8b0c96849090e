import { endpoints } from '../../../contract/endpoints.ts'
import type { Onboarding, OnboardingChange } from '../../../contract/schemas/settings.ts'
import { sync } from '../../sync/client.ts'

/** Notes on the server how far the user came, and returns it. Throws a CallError. */
export const noteProgress = (body: OnboardingChange): Promise<Onboarding> =>
  sync().call(endpoints.updateOnboarding, { body })
