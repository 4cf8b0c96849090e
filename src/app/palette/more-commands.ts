// The commands beside those of the specification: every place, and common acts. Pure.
import { PLACE_KEYS } from '../keys/read-key.ts'
import { matchesText } from './commands.ts'
import { paletteMessages as messages } from './messages.ts'

/** A command beside the ten of the specification. */
export interface MoreCommand {
  key: string
  group: 'places' | 'acts'
  label: string
  /** Path to open; without one the command opens a sheet or signs out. */
  to?: string
  owner_only?: true
  /** Only at a server with this capability. */
  needs?: 'templates' | 'renewals'
}

const { places, acts } = messages

const MORE: readonly MoreCommand[] = [
  { key: 'home', group: 'places', label: places.home, to: '/' },
  { key: 'accounts', group: 'places', label: places.accounts, to: '/accounts' },
  { key: 'initiatives', group: 'places', label: places.initiatives, to: '/initiatives' },
  {
    key: 'templates',
    group: 'places',
    label: places.templates,
    to: '/templates',
    needs: 'templates',
  },
  { key: 'renewals', group: 'places', label: places.renewals, to: '/?renewals' },
  { key: 'review', group: 'places', label: places.review, to: '/success-plans?review' },
  {
    key: 'billing',
    group: 'places',
    label: places.billing,
    to: '/settings/organisation/billing',
    owner_only: true,
  },
  {
    key: 'pricing',
    group: 'places',
    label: places.pricing,
    to: '/settings/organisation/plans',
    owner_only: true,
  },
  { key: 'sync', group: 'places', label: places.sync },
  { key: 'device', group: 'places', label: places.device },
  { key: 'set-up', group: 'places', label: places.setUp, to: '/onboarding' },
  { key: 'new-account', group: 'acts', label: acts.newAccount, to: '/accounts?new' },
  { key: 'new-initiative', group: 'acts', label: acts.newInitiative, to: '/initiatives?new' },
  { key: 'outcome', group: 'acts', label: acts.outcome, to: '/?renewals', needs: 'renewals' },
  { key: 'import-plans', group: 'acts', label: acts.importPlans, to: '/success-plans?import' },
  { key: 'import-accounts', group: 'acts', label: acts.importAccounts, to: '/accounts?import' },
  {
    key: 'export-all',
    group: 'acts',
    label: acts.exportAll,
    to: '/settings/organisation/general#archive',
  },
  {
    key: 'import-all',
    group: 'acts',
    label: acts.importAll,
    to: '/settings/organisation/general?import',
  },
  { key: 'shortcuts', group: 'acts', label: acts.shortcuts },
  { key: 'sign-out', group: 'acts', label: acts.signOut },
]

/** The commands offered for the typed text. */
export const moreCommands = (
  typed: string,
  {
    is_owner,
    has,
  }: { is_owner: boolean; has: Readonly<Record<'templates' | 'renewals', boolean>> },
): MoreCommand[] =>
  MORE.filter(
    ({ label, owner_only, needs }) =>
      matchesText(label, typed) &&
      (is_owner || owner_only !== true) &&
      (needs === undefined || has[needs]),
  )

/** Which command `c` is the key of: it creates what the screen shows. */
const createdAt = (pathname: string) =>
  pathname === '/accounts'
    ? 'new-account'
    : pathname === '/initiatives'
      ? 'new-initiative'
      : pathname === '/templates'
        ? undefined
        : 'new-plan'

/** The keys that do the same as a command on that screen, as they are shown; undefined without any. */
export function keysOf(
  { key, to }: { key: string; to?: string | undefined },
  pathname: string,
): string | undefined {
  if (key === 'shortcuts') return '?'
  if (key === createdAt(pathname)) return 'C'
  // The first of two commands that lead there.
  const [letter] = Object.entries(PLACE_KEYS).find(([, place]) => place === to) ?? []
  return letter === undefined || key === 'new-template' ? undefined : `G ${letter.toUpperCase()}`
}
