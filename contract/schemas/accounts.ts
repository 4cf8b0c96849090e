// Accounts: the customers of an organisation.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  Currency,
  Day,
  EmailAddress,
  Id,
  ReadDay,
  ReadInstant,
  Uuid,
  Version,
  Website,
  clearable,
  line,
  maybe,
  oneOf,
  text,
} from './fields.ts'
import { HEALTHS } from '../values.ts'

export const ACCOUNT_TIERS = ['strategic', 'standard', 'tech-touch'] as const
export const ACCOUNT_STATUSES = ['prospect', 'trial', 'active', 'churned'] as const

const Contact = v.object({
  id: Id,
  name: v.string(),
  email: maybe(v.string()),
  title: maybe(v.string()),
  role: maybe(v.string()),
  is_primary: v.optional(v.boolean(), false),
})

export const Account = v.object({
  id: Id,
  name: v.string(),
  website: maybe(v.string()),
  industry: maybe(v.string()),
  tier: maybe(v.string()),
  status: v.optional(v.string(), 'active'),
  health: maybe(v.string()),
  arr: maybe(v.number()),
  currency: v.optional(v.string(), 'USD'),
  renewal_date: maybe(ReadDay),
  owner_id: maybe(Id),
  contacts: v.optional(v.array(Contact), []),
  notes: maybe(v.string()),
  tags: v.optional(v.array(v.string()), []),
  success_plans_count: v.optional(v.number(), 0),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Account = v.InferOutput<typeof Account>

const fields = {
  name: line(),
  website: clearable(Website),
  industry: clearable(line()),
  tier: clearable(oneOf(ACCOUNT_TIERS)),
  status: v.optional(oneOf(ACCOUNT_STATUSES)),
  health: clearable(oneOf(HEALTHS)),
  arr: clearable(
    v.pipe(
      v.number(messages.amount),
      v.finite(messages.amount),
      v.minValue(0, messages.atLeast(0)),
      v.maxValue(1e12, messages.smallerAmount),
    ),
  ),
  currency: v.optional(Currency),
  renewal_date: clearable(Day),
  owner_id: clearable(Uuid),
  contacts: v.optional(
    v.pipe(
      v.array(
        v.object({
          id: v.optional(Uuid),
          name: line(),
          email: clearable(EmailAddress),
          title: clearable(line()),
          role: clearable(line()),
          is_primary: v.optional(v.boolean(), false),
        }),
      ),
      v.maxLength(100, messages.maxItems(100, 'contacts')),
    ),
  ),
  notes: clearable(text()),
  tags: v.optional(v.pipe(v.array(line(50)), v.maxLength(50, messages.maxItems(50, 'tags')))),
}

export const AccountDraft = v.object({ id: v.optional(Uuid), ...fields })
/** A partial edit. `contacts` are replaced as a whole. */
export const AccountEdit = v.object({ ...fields, name: v.optional(fields.name) })
export type AccountEdit = v.InferInput<typeof AccountEdit>
