// Starter templates for an organisation without templates.
import { starterMessages } from './starter-messages.ts'

const { onboarding, renewal } = starterMessages

type Role = 'plan-owner' | 'account-owner' | 'customer'

const action = (title: string, due_offset_days: number, assignee_role: Role = 'plan-owner') => ({
  title,
  description: null,
  due_offset_days,
  assignee_role,
})

const work = (title: string, from: number, to: number, actions: ReturnType<typeof action>[]) => ({
  title,
  description: null,
  start_offset_days: from,
  end_offset_days: to,
  actions,
})

/** Fixed ids, so that adding a starter twice creates one template. */
export const STARTERS = [
  {
    id: '01930000-0000-7000-8000-000000000001',
    title: onboarding.title,
    description: onboarding.description,
    type: 'customer' as const,
    duration_days: 90,
    update_cadence_days: 7 as const,
    initiatives: [
      work(onboarding.goals, 0, 14, [
        action(onboarding.kickOff, 3),
        action(onboarding.criteria, 10),
        action(onboarding.people, 14, 'customer'),
      ]),
      work(onboarding.setUp, 7, 45, [
        action(onboarding.data, 21, 'customer'),
        action(onboarding.training, 40),
      ]),
      work(onboarding.result, 40, 90, [
        action(onboarding.review, 75),
        action(onboarding.handOver, 90, 'account-owner'),
      ]),
    ],
  },
  {
    id: '01930000-0000-7000-8000-000000000002',
    title: renewal.title,
    description: renewal.description,
    type: 'customer' as const,
    duration_days: 120,
    update_cadence_days: 14 as const,
    initiatives: [
      work(renewal.position, 0, 40, [
        action(renewal.usage, 14),
        action(renewal.decision, 40, 'account-owner'),
      ]),
      work(renewal.value, 30, 80, [
        action(renewal.results, 60),
        action(renewal.sponsor, 80, 'account-owner'),
      ]),
      work(renewal.signing, 80, 120, [
        action(renewal.offer, 90, 'account-owner'),
        action(renewal.signed, 120, 'customer'),
      ]),
    ],
  },
]

/** Whether it is the id of a starter. */
export const isStarter = (id: string): boolean => STARTERS.some((one) => one.id === id)
