// The whole organisation on the device, and what changed in it since.
import * as v from 'valibot'
import type { ResourceName } from '../resources.ts'
import { Account } from './accounts.ts'
import { Action } from './actions.ts'
import { Id } from './fields.ts'
import { Initiative } from './initiatives.ts'
import { OrganisationUser } from './people.ts'
import { SuccessPlan, SuccessPlanUpdate } from './success-plans.ts'
import { Template } from './templates.ts'

/** One page of `changes`, in version order. `version` is what to ask with next. */
export const Changes = v.object({
  data: v.object({
    success_plans: v.optional(v.array(SuccessPlan), []),
    success_plan_updates: v.optional(v.array(SuccessPlanUpdate), []),
    accounts: v.optional(v.array(Account), []),
    initiatives: v.optional(v.array(Initiative), []),
    actions: v.optional(v.array(Action), []),
    templates: v.optional(v.array(Template), []),
    organisation_users: v.optional(v.array(OrganisationUser), []),
    deleted: v.optional(v.array(v.object({ type: v.string(), id: Id })), []),
  } satisfies Record<ResourceName | 'deleted', v.GenericSchema>),
  version: v.number(),
  more: v.boolean(),
  /** Where the organisation is now, so that a first download can show its share done. */
  latest: v.optional(v.number()),
})
export type Changes = v.InferOutput<typeof Changes>
