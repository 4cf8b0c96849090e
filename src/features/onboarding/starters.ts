// Starter templates for an organisation without templates.
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
    title: 'Onboarding in 90 days',
    description: 'From the kick-off to the first result that the customer would miss.',
    type: 'customer' as const,
    duration_days: 90,
    update_cadence_days: 7 as const,
    initiatives: [
      work('Agree on what success is', 0, 14, [
        action('Kick-off meeting', 3),
        action('Write down the criteria of success', 10),
        action('Name who decides, and who uses it', 14, 'customer'),
      ]),
      work('Set up and train', 7, 45, [
        action('Bring in the data', 21, 'customer'),
        action('Train the first group', 40),
      ]),
      work('First result', 40, 90, [
        action('Review the criteria together', 75),
        action('Hand over to everyday work', 90, 'account-owner'),
      ]),
    ],
  },
  {
    id: '01930000-0000-7000-8000-000000000002',
    title: 'Renewal',
    description: 'Begin four months before the contract ends.',
    type: 'customer' as const,
    duration_days: 120,
    update_cadence_days: 14 as const,
    initiatives: [
      work('Know where they stand', 0, 40, [
        action('Look at use and open requests', 14),
        action('Talk with whoever decides', 40, 'account-owner'),
      ]),
      work('Show what it was worth', 30, 80, [
        action('Collect results against the criteria', 60),
        action('Value review with the sponsor', 80, 'account-owner'),
      ]),
      work('Sign', 80, 120, [
        action('Send the offer', 90, 'account-owner'),
        action('Contract signed', 120, 'customer'),
      ]),
    ],
  },
]
