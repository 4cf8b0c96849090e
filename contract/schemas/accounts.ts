// Accounts: the customers of an organisation.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  Currency,
  Day,
  EmailAddress,
  Id,
  Instant,
  NewId,
  Phone,
  ReadDay,
  ReadInstant,
  Uuid,
  Version,
  Website,
  Word,
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
  /** Undefined in what an earlier build stored, and at a server without phone numbers. */
  phone: clearable(v.string()),
  title: maybe(v.string()),
  role: maybe(v.string()),
  is_primary: v.optional(v.boolean(), false),
})

/** What becomes of a contract when its renewal is up. */
export const RENEWAL_OUTCOMES = ['renewed', 'moved', 'churned'] as const

/** The outcome of one renewal, as the server keeps it. `due` is the date that was up. */
const Renewal = v.object({
  id: Id,
  due: maybe(ReadDay),
  outcome: v.string(),
  amount: maybe(v.number()),
  currency: maybe(v.string()),
  next_date: maybe(ReadDay),
  note: maybe(v.string()),
  user_id: maybe(Id),
  recorded_at: maybe(ReadInstant),
})
export type Renewal = v.InferOutput<typeof Renewal>

export const Account = v.object({
  id: Id,
  name: v.string(),
  website: maybe(v.string()),
  industry: maybe(v.string()),
  tier: maybe(Word),
  status: v.optional(Word, 'active'),
  health: maybe(Word),
  arr: maybe(v.number()),
  currency: v.optional(Word, 'USD'),
  renewal_date: maybe(ReadDay),
  owner_id: maybe(Id),
  contacts: v.optional(v.array(Contact), []),
  notes: maybe(v.string()),
  tags: v.optional(v.array(v.string()), []),
  /**
   * Oldest first. Undefined at a server without the capability `renewals`, and in a record that an earlier
   * build stored.
   */
  renewals: v.optional(v.array(Renewal)),
  success_plans_count: v.optional(v.number(), 0),
  version: Version,
  created_by: maybe(Id),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Account = v.InferOutput<typeof Account>

/** Per year, in whole or broken units of the currency. */
const Amount = v.pipe(
  v.number(messages.amount),
  v.finite(messages.amount),
  v.minValue(0, messages.atLeast(0)),
  v.maxValue(1e12, messages.smallerAmount),
)

/** The outcome of a renewal to add to `renewals`. The server adds author and currency. */
export const RenewalDraft = v.object({
  id: NewId,
  due: Day,
  outcome: oneOf(RENEWAL_OUTCOMES),
  amount: clearable(Amount),
  next_date: clearable(Day),
  note: clearable(text(2_000)),
  /** The device's clock. */
  recorded_at: Instant,
})

const fields = {
  name: line(),
  website: clearable(Website),
  industry: clearable(line()),
  tier: clearable(oneOf(ACCOUNT_TIERS)),
  status: v.optional(oneOf(ACCOUNT_STATUSES)),
  health: clearable(oneOf(HEALTHS)),
  arr: clearable(Amount),
  currency: v.optional(Currency),
  renewal_date: clearable(Day),
  owner_id: clearable(Uuid),
  contacts: v.optional(
    v.pipe(
      v.array(
        v.object({
          id: v.optional(NewId),
          name: line(),
          email: clearable(EmailAddress),
          phone: clearable(Phone),
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
  renewal_outcome: v.optional(RenewalDraft),
}

export const AccountDraft = v.object({ id: v.optional(NewId), ...fields })
/**
 * A partial edit. `contacts` are replaced as a whole, but for the phone number of a contact that is sent without one:
 * earlier builds do not know it. `renewal_outcome` is added to `renewals`.
 */
export const AccountEdit = v.object({ ...fields, name: v.optional(fields.name) })
export type AccountEdit = v.InferInput<typeof AccountEdit>
