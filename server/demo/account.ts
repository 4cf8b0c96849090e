// Builds the accounts of the demo data.
import type { Insertable } from 'kysely'
import type { SeedContext } from './context.ts'
import {
  ACCOUNT_NOTES,
  CONTACT_TITLES,
  FIRST_NAMES,
  LAST_NAMES,
  PHONE_BEGINS,
  TAGS,
} from './names.ts'
import { createSeededRandom } from './random.ts'
import type { Tables } from '../database/tables.ts'

const DAY_MS = 86_400_000
const TIERS = ['strategic', 'standard', 'standard', 'tech-touch'] as const
const STATUSES = ['active', 'active', 'active', 'trial', 'active', 'prospect', 'active', 'churned']
const HEALTHS = ['on-track', 'on-track', 'at-risk', 'on-track', 'off-track', null] as const
const ARR = { strategic: [120, 480], standard: [24, 110], 'tech-touch': [4, 20] } as const

/** An account to insert. */
export interface BuiltAccount {
  row: Insertable<Tables['accounts']>
  /** First name of the primary contact. */
  contact: string
  /** The day an active account renews. */
  renewal: string
}

/** An account with one to three contacts. */
export function buildAccount(
  { organisation_id, people, now, next, random }: SeedContext,
  [name, industry]: readonly [name: string, industry: string],
): BuiltAccount {
  const created = new Date(now.getTime() - random.between(150, 380) * DAY_MS)
  const host = `${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example.com`
  // A separate source: phone numbers then change nothing else.
  const phones = createSeededRandom(
    Array.from(name).reduce((sum, sign) => sum + sign.charCodeAt(0), 0),
  )
  const contacts = Array.from({ length: random.between(1, 3) }, (_, index) => {
    const first = random.pick(FIRST_NAMES)
    const last = random.pick(LAST_NAMES)
    const title = random.pick(CONTACT_TITLES)
    const email = `${first}.${last.replace(/[^A-Za-z]/g, '')}@${host}`.toLowerCase()
    return {
      id: random.id(created),
      name: `${first} ${last}`,
      email,
      // Most primary contacts have one, and some of the others.
      phone:
        phones.between(0, 4) > (index === 0 ? 0 : 2)
          ? `${phones.pick(PHONE_BEGINS)}${phones.between(100, 999)}`
          : null,
      title,
      role: null,
      is_primary: index === 0,
    }
  })
  const tier = random.pick(TIERS)
  const status = random.pick(STATUSES)
  const [min, max] = ARR[tier]
  const renewal = new Date(now.getTime() + random.between(-10, 300) * DAY_MS)
    .toISOString()
    .slice(0, 10)
  const author = random.pick(people)
  return {
    contact: contacts[0]?.name.split(' ')[0] ?? name,
    renewal,
    row: {
      organisation_id,
      id: random.id(created),
      name,
      industry,
      website: `https://${host}`,
      tier,
      status,
      health: random.pick(HEALTHS),
      // A trial pays little.
      arr:
        status === 'prospect'
          ? null
          : random.between(min, max) * (status === 'trial' ? 100 : 1_000),
      currency: 'EUR',
      renewal_date: status === 'active' ? renewal : null,
      owner_id: random.pick(people),
      contacts: JSON.stringify(contacts),
      renewals: '[]',
      notes: random.between(0, 2) === 0 ? random.pick(ACCOUNT_NOTES) : null,
      tags: JSON.stringify(random.between(0, 2) === 0 ? [random.pick(TAGS)] : []),
      version: next(),
      created_by: author,
      created_at: created.toISOString(),
      updated_at: created.toISOString(),
    },
  }
}
