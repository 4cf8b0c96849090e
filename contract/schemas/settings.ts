// A user's own settings: notification consents, onboarding progress and saved views.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { Id, line, oneOf, wholeNumber } from './fields.ts'

const MAIL_KINDS = [
  'plan_update',
  'plan_assigned',
  'action_assigned',
  'action_due',
  'action_overdue',
  'plan_stale',
  'product_news',
] as const

/** Kinds that are also sent as push notifications. */
const PUSH_KINDS = ['plan_update', 'action_due', 'action_overdue'] as const

/** Defaults until the user chooses: everything about their work, no newsletter. */
export const DEFAULT_CONSENTS = {
  email: {
    plan_update: true,
    plan_assigned: true,
    action_assigned: true,
    action_due: true,
    action_overdue: true,
    plan_stale: true,
    product_news: false,
  },
  // Takes effect only on devices with notifications turned on.
  push: { plan_update: true, action_due: true, action_overdue: true },
  digest: 'weekly',
  due_lead_days: 2,
} as const

const lenientFlags = <Name extends string>(names: readonly Name[]) =>
  v.object(v.entriesFromList(names, v.optional(v.boolean(), false)))

export const NotificationConsents = v.object({
  email: v.optional(lenientFlags(MAIL_KINDS), {}),
  push: v.optional(lenientFlags(PUSH_KINDS), {}),
  digest: v.optional(v.string(), 'off'),
  due_lead_days: v.optional(v.number(), DEFAULT_CONSENTS.due_lead_days),
})
export type NotificationConsents = v.InferOutput<typeof NotificationConsents>

const flag = v.optional(v.boolean(messages.yesOrNo))

/** A partial edit, also within `email` and `push`. */
export const NotificationConsentsEdit = v.object({
  email: v.optional(v.object(v.entriesFromList(MAIL_KINDS, flag))),
  push: v.optional(v.object(v.entriesFromList(PUSH_KINDS, flag))),
  digest: v.optional(oneOf(['off', 'daily', 'weekly'])),
  due_lead_days: v.optional(wholeNumber(1, 7)),
})
export type NotificationConsentsEdit = v.InferInput<typeof NotificationConsentsEdit>

export const ONBOARDING_STEPS = [
  'profile',
  'organisation',
  'invite',
  'first_account',
  'first_plan',
  'install',
] as const
type OnboardingStep = (typeof ONBOARDING_STEPS)[number]
const ONBOARDING_STATUSES = ['not-started', 'in-progress', 'completed', 'skipped'] as const

const steps = lenientFlags(ONBOARDING_STEPS)

export const Onboarding = v.object({
  status: v.optional(v.string(), 'not-started'),
  steps: v.optional(steps, {}),
})
export type Onboarding = v.InferOutput<typeof Onboarding>

/** In an answer to a change, a status alone may be that of the request. */
export const ChangedOnboarding = v.object({ ...Onboarding.entries, steps })

/** Either sets one step, or sets the status of the whole onboarding. */
export const OnboardingChange = v.union(
  [
    v.strictObject({ step: oneOf(ONBOARDING_STEPS), done: v.boolean(messages.yesOrNo) }),
    v.strictObject({ status: oneOf(ONBOARDING_STATUSES) }),
  ],
  messages.stepOrStatus,
)
export type OnboardingChange = v.InferOutput<typeof OnboardingChange>

/** Applies a change. The first step starts the onboarding and the last one completes it. */
export function applyOnboardingChange(before: Onboarding, change: OnboardingChange): Onboarding {
  if ('status' in change) return { ...before, status: change.status }
  const steps: Record<OnboardingStep, boolean> = { ...before.steps, [change.step]: change.done }
  const isDone = ONBOARDING_STEPS.every((step) => steps[step])
  const unfinishedStatus = before.status === 'skipped' ? 'skipped' : 'in-progress'
  return { steps, status: isDone ? 'completed' : unfinishedStatus }
}

/** Of one user in one organisation. */
export const MAX_SAVED_VIEWS = 50
/** With its name and id a view has less than 4 kB. */
export const MAX_VIEW_SEARCH = 3_600

export const SavedView = v.object({ id: Id, name: v.string(), search: v.string() })

/**
 * A saved view. `search` is the search part of the list's address, without `?`, after the list's name; the list of
 * plans has no name.
 */
export const SavedViewDraft = v.object({
  name: line(80),
  search: v.pipe(
    v.string(messages.text),
    v.minLength(1, messages.notEmpty),
    v.maxLength(MAX_VIEW_SEARCH, messages.maxCharacters(MAX_VIEW_SEARCH)),
    v.regex(/^[\x21-\x7e]+$/, messages.controlCharacters),
  ),
})
