// What belongs to a user alone: what mails they want, and how far they came in setting up.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { oneOf, wholeNumber } from './fields.ts'

const MAIL_KINDS = [
  'plan_update',
  'plan_assigned',
  'action_assigned',
  'action_due',
  'action_overdue',
  'plan_stale',
  'product_news',
] as const

/** What is also told on devices, as it happens. */
const PUSH_KINDS = ['plan_update', 'action_due', 'action_overdue'] as const

/** What somebody gets who has never said: what concerns their work, and no news. */
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
  // Told only where somebody has turned notifications on.
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

/** An edit names what it changes, also of the kinds of mail and of notifications. */
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

export const Onboarding = v.object({
  status: v.optional(v.string(), 'not-started'),
  steps: v.optional(lenientFlags(ONBOARDING_STEPS), {}),
})
export type Onboarding = v.InferOutput<typeof Onboarding>

/** One step that is done or not, or the whole that is skipped, completed or begun again. */
export const OnboardingChange = v.union(
  [
    v.strictObject({ step: oneOf(ONBOARDING_STEPS), done: v.boolean(messages.yesOrNo) }),
    v.strictObject({ status: oneOf(ONBOARDING_STATUSES) }),
  ],
  messages.stepOrStatus,
)
export type OnboardingChange = v.InferOutput<typeof OnboardingChange>

/** The onboarding after a change: the first step begins it, the last one completes it. */
export function applyOnboardingChange(before: Onboarding, change: OnboardingChange): Onboarding {
  if ('status' in change) return { ...before, status: change.status }
  const steps: Record<OnboardingStep, boolean> = { ...before.steps, [change.step]: change.done }
  const isDone = ONBOARDING_STEPS.every((step) => steps[step])
  const unfinishedStatus = before.status === 'skipped' ? 'skipped' : 'in-progress'
  return { steps, status: isDone ? 'completed' : unfinishedStatus }
}
