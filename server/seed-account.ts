// A customer of the demonstration.
import type { Insertable } from 'kysely'
import type { Teller } from './seed-plan.ts'
import { ACCOUNT_NOTES, CONTACT_TITLES, FIRST_NAMES, LAST_NAMES, TAGS } from './seed-names.ts'
import type { Tables } from './tables.ts'

const DAY = 86_400_000
const TIERS = ['strategic', 'standard', 'standard', 'tech-touch'] as const
const STATUSES = ['active', 'active', 'active', 'trial', 'active', 'prospect', 'active', 'churned']
const HEALTHS = ['on-track', 'on-track', 'at-risk', 'on-track', 'off-track', null] as const
const ARR = { strategic: [120, 480], standard: [24, 110], 'tech-touch': [4, 20] } as const

export interface ToldAccount {
  row: Insertable<Tables['accounts']>
  /** The first name of the main contact. */
  contact: string
}

export function tellAccount(
  { organisation_id, people, now, next, chance }: Teller,
  [name, industry]: readonly [name: string, industry: string],
): ToldAccount {
  const created = new Date(now.getTime() - chance.between(150, 380) * DAY)
  const host = `${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example.com`
  const contacts = Array.from({ length: chance.between(1, 3) }, (_, index) => {
    const first = chance.pick(FIRST_NAMES)
    const last = chance.pick(LAST_NAMES)
    const title = chance.pick(CONTACT_TITLES)
    const email = `${first}.${last.replace(/[^A-Za-z]/g, '')}@${host}`.toLowerCase()
    return {
      id: chance.id(created),
      name: `${first} ${last}`,
      email,
      title,
      role: null,
      is_primary: index === 0,
    }
  })
  const tier = chance.pick(TIERS)
  const status = chance.pick(STATUSES)
  const [least, most] = ARR[tier]
  const renewal = new Date(now.getTime() + chance.between(-10, 300) * DAY)
  const author = chance.pick(people)
  return {
    contact: contacts[0]?.name.split(' ')[0] ?? name,
    row: {
      organisation_id,
      id: chance.id(created),
      name,
      industry,
      website: `https://${host}`,
      tier,
      status,
      health: chance.pick(HEALTHS),
      arr: status === 'prospect' ? null : chance.between(least, most) * 1_000,
      currency: 'EUR',
      renewal_date: status === 'active' ? renewal.toISOString().slice(0, 10) : null,
      owner_id: chance.pick(people),
      contacts: JSON.stringify(contacts),
      notes: chance.between(0, 2) === 0 ? chance.pick(ACCOUNT_NOTES) : null,
      tags: JSON.stringify(chance.between(0, 2) === 0 ? [chance.pick(TAGS)] : []),
      version: next(),
      created_by: author,
      created_at: created.toISOString(),
      updated_at: created.toISOString(),
    },
  }
}
