import type { BrowserFixture } from './scene.ts'

/** The 18 routes of the specification (section 2), for who is signed out and for who is signed in. */
export const routesFor = ({ account, plan }: BrowserFixture) => ({
  out: ['/auth', '/auth/registration'],
  in: [
    '/',
    '/onboarding',
    '/organisations',
    '/accounts',
    `/accounts/${account.id}`,
    '/initiatives',
    '/success-plans',
    '/success-plans/new',
    `/success-plans/${plan.id}`,
    '/templates',
    '/settings/profile',
    '/settings/notifications',
    '/settings/organisation/general',
    '/settings/organisation/members',
    '/settings/organisation/billing',
    '/settings/organisation/plans',
  ],
})
