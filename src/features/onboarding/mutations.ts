import { endpoints } from '../../../contract/endpoints.ts'
import type { Onboarding, OnboardingChange } from '../../../contract/schemas/settings.ts'
import { sync } from '../../sync/client.ts'

/** Stores the user's onboarding progress on the server and returns it. Throws a CallError. */
export const noteProgress = (body: OnboardingChange): Promise<Onboarding> =>
  sync().call(endpoints.updateOnboarding, { body })
