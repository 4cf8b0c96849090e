// What devices measure of the app, for a server's metrics: closed lists of names and pages, so that
// requests cannot add to them. No ids and no text of users.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { oneOf } from './fields.ts'

/** Where measurements are sent. */
export const VITALS_PATH = '/api/v1/vitals'

/**
 * Web vitals (https://web.dev/articles/vitals). LCP and INP are in milliseconds, CLS has no unit; each
 * belongs to a page.
 */
export const PAGE_VITALS = ['LCP', 'INP', 'CLS'] as const

/** Times of the app's own, in milliseconds. */
export const APP_TIMES = ['start-to-rows', 'post-to-saved', 'reconnect-to-sent'] as const

const OTHER_PAGE = 'other'

/** The app's routes, as patterns; of two that match, the first. */
export const PAGES = [
  '/',
  '/success-plans',
  '/success-plans/new',
  '/success-plans/:id',
  '/accounts',
  '/accounts/:id',
  '/templates',
  '/initiatives',
  '/settings',
  '/settings/profile',
  '/settings/notifications',
  '/settings/organisation/general',
  '/settings/organisation/members',
  '/settings/organisation/billing',
  '/settings/organisation/plans',
  '/auth',
  '/auth/registration',
  '/onboarding',
  '/organisations',
  OTHER_PAGE,
] as const
export type Page = (typeof PAGES)[number]

/** How many measurements one request may hold. */
export const MAX_VITALS = 50

const Measured = v.pipe(
  v.number(messages.number),
  v.finite(messages.smallerNumber),
  v.minValue(0, messages.largerNumber),
)
/** One measurement; see PAGE_VITALS and APP_TIMES for its unit. */
const Vital = v.variant('name', [
  v.object({ name: oneOf(PAGE_VITALS), page: oneOf(PAGES), value: Measured }),
  v.object({ name: oneOf(APP_TIMES), value: Measured }),
])
export type Vital = v.InferOutput<typeof Vital>

/** What a device reports. */
export const VitalsReport = v.object({
  vitals: v.pipe(
    v.array(Vital),
    v.maxLength(MAX_VITALS, messages.maxItems(MAX_VITALS, 'measurements')),
  ),
})

/** The page at a path, without its ids. */
export function pageOf(pathname: string): Page {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/')
  const isMatch = (page: Page) => {
    const pattern = page.split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith(':') || part === parts[index])
    )
  }
  return PAGES.find(isMatch) ?? OTHER_PAGE
}
