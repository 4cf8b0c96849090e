// What `--write` creates: one record of each kind that the app creates offline.
import type { QueuedResource } from '../contract/resources.ts'
import type { Json } from './records.ts'

/** Ids of the records made so far, as the server wrote them. */
export type Made = Partial<Record<string, string | number | null>>

interface Sample {
  resource: QueuedResource
  draft: (made: Made) => Json
  edit: Json
  /** The field that an edit of `edit` alone must leave as it is. */
  untouched: string
}

/** In the order in which they depend on each other. */
export const samples: readonly Sample[] = [
  {
    resource: 'accounts',
    draft: () => ({
      name: 'cairn-conform account',
      status: 'active',
      notes: 'Made by npm run conform.',
      tags: ['conform'],
    }),
    edit: { name: 'cairn-conform account, renamed' },
    untouched: 'notes',
  },
  {
    resource: 'success_plans',
    draft: ({ accounts }) => ({
      title: 'cairn-conform plan',
      type: 'customer',
      status: 'in-progress',
      description: 'Made by npm run conform.',
      start_date: '2026-01-31',
      end_date: '2026-12-31',
      account_id: accounts,
    }),
    edit: { title: 'cairn-conform plan, renamed' },
    untouched: 'description',
  },
  {
    resource: 'initiatives',
    draft: ({ success_plans }) => ({
      title: 'cairn-conform initiative',
      description: 'Made by npm run conform.',
      status: 'planned',
      success_plan_id: success_plans,
    }),
    edit: { title: 'cairn-conform initiative, renamed' },
    untouched: 'description',
  },
  {
    resource: 'actions',
    draft: ({ success_plans, initiatives }) => ({
      title: 'cairn-conform action',
      description: 'Made by npm run conform.',
      status: 'todo',
      due_date: '2026-06-30',
      success_plan_id: success_plans,
      initiative_id: initiatives,
    }),
    edit: { title: 'cairn-conform action, renamed' },
    untouched: 'description',
  },
]

/** An update of a plan. */
export const updateDraft = (): Json => ({
  body: 'Written by npm run conform.',
  written_at: new Date().toISOString(),
})
