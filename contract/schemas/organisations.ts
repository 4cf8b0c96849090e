// Organisations: the tenants that own all other data.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  Currency,
  Id,
  NewId,
  ReadInstant,
  TimeZone,
  Uuid,
  Website,
  clearable,
  line,
  maybe,
} from './fields.ts'

export const Organisation = v.object({
  id: Id,
  name: v.string(),
  /** The owner; empty where the server has none. */
  user_id: v.optional(v.union([Id, v.literal('')]), ''),
  website: maybe(v.string()),
  /** Empty where the server has none. */
  timezone: v.optional(v.string(), ''),
  currency: v.optional(v.string(), 'USD'),
  /** Empty from servers without plans, at which none of the limits of plans applies. */
  plan: v.optional(v.string(), ''),
  members_count: maybe(v.number()),
  /** Of the user who asks; empty where the answer does not name it. */
  pivot: v.optional(v.object({ role: v.optional(v.string(), '') }), {}),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export type Organisation = v.InferOutput<typeof Organisation>

export const OrganisationDraft = v.object({
  id: v.optional(NewId),
  name: line(),
  timezone: v.optional(TimeZone),
  currency: v.optional(Currency),
})

export const OrganisationEdit = v.object({
  name: v.optional(line()),
  website: clearable(Website),
  timezone: v.optional(TimeZone),
  currency: v.optional(Currency),
})

/** Deletes all its data, so the name has to be repeated. */
export const OrganisationDeletion = v.object({ name: v.string(messages.repeatName) })

/** `heir_id`: who takes over the work; see `Heir`. */
export const OrganisationLeaving = v.object({
  organisation_id: Uuid,
  heir_id: v.optional(Uuid),
})
