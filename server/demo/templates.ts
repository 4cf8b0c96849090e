// Builds the templates of the demo data from the steps of its plans.
import type { Insertable } from 'kysely'
import type { TemplateInitiative } from '../../contract/schemas/templates.ts'
import type { SeedContext } from './context.ts'
import { STEPS } from './steps.ts'
import type { Tables } from '../database/tables.ts'

const TEMPLATES = [
  {
    title: 'Onboarding in 90 days',
    description: 'From the kick-off to the first meeting that runs from the dashboard.',
    story: 'Onboard the operations team',
    subject: 'the first team',
    duration_days: 90,
    update_cadence_days: 7,
  },
  {
    title: 'Renewal',
    description: 'Begin four months before the contract ends.',
    story: 'Renewal on a two-year term',
    subject: 'every team',
    duration_days: 120,
    update_cadence_days: 14,
  },
  {
    title: 'Migration without a day of wrong numbers',
    description: 'Take stock, run both side by side, switch over.',
    story: 'Migrate from the old warehouse',
    subject: 'reports',
    duration_days: 75,
    update_cadence_days: 14,
  },
] as const

const ROLES = ['plan-owner', 'plan-owner', 'customer', 'plan-owner', 'account-owner'] as const

/** Rows of the first `count` templates. */
export function buildTemplates(
  { organisation_id, people, next, random }: SeedContext,
  count: number,
  createdAt: Date,
): Insertable<Tables['templates']>[] {
  const at = createdAt.toISOString()
  return TEMPLATES.slice(0, count).map(({ story, subject, ...template }) => {
    const steps = STEPS[story] ?? []
    const length = template.duration_days / steps.length
    const initiatives = steps.map(({ title, actions }, stepIndex): TemplateInitiative => {
      const start = Math.round(stepIndex * length)
      const share = length / actions.length
      return {
        title: title.replace('{subject}', subject),
        description: null,
        start_offset_days: start,
        end_offset_days: Math.round((stepIndex + 1) * length),
        actions: actions.map((title, index) => ({
          title,
          description: null,
          due_offset_days: Math.round(start + (index + 1) * share),
          assignee_role: ROLES[(stepIndex + index) % ROLES.length] ?? null,
        })),
      }
    })
    return {
      ...template,
      organisation_id,
      id: random.id(createdAt),
      type: 'customer',
      initiatives: JSON.stringify(initiatives),
      version: next(),
      created_by: people[0] ?? '',
      created_at: at,
      updated_at: at,
    }
  })
}
