import { dueDays } from '../../../src/features/templates/template-choice.tsx'
import { describe, expect, it } from 'vitest'
import {
  templateSchedule,
  templatePlanDates,
  type Template,
} from '../../../contract/schemas/templates.ts'
import {
  blankTemplate,
  checkTemplate,
  templateToFields,
  stepsOf,
} from '../../../src/features/templates/template-fields.ts'

const TEMPLATE: Template = {
  id: 'template',
  title: 'Onboarding',
  description: null,
  type: 'customer',
  duration_days: 30,
  update_cadence_days: 7,
  initiatives: [
    {
      title: 'Kick off',
      description: 'Posted elsewhere',
      start_offset_days: 0,
      end_offset_days: 10,
      actions: [
        {
          title: 'Invite them',
          description: 'With an agenda',
          due_offset_days: 3,
          assignee_role: 'customer',
        },
      ],
    },
  ],
  version: 1,
  created_by: null,
  created_at: null,
  updated_at: null,
}

describe('the form of a template', () => {
  it('keeps fields that it does not show', () => {
    const checked = checkTemplate(templateToFields(TEMPLATE))
    const { title, type, duration_days, update_cadence_days, initiatives } = TEMPLATE
    expect(checked).toEqual({
      ok: true,
      value: { title, type, duration_days, update_cadence_days, initiatives },
    })
  })

  it('keeps the roles of another server when another part of the initiatives is changed', () => {
    const fields = templateToFields(TEMPLATE)
    const initiatives = fields.initiatives.replaceAll('"customer"', '"sales"')
    expect(checkTemplate({ ...fields, initiatives })).toMatchObject({
      ok: true,
      value: { initiatives: [{ actions: [{ assignee_role: 'sales' }] }] },
    })
  })

  it('rejects an empty number of days', () => {
    const fields = templateToFields(TEMPLATE)
    const [step] = stepsOf(fields)
    const checked = checkTemplate({
      ...fields,
      duration_days: '',
      initiatives: JSON.stringify([{ ...step, end_offset_days: ' ' }]),
    })
    expect(checked.ok ? [] : Object.keys(checked.errors).toSorted()).toEqual([
      'duration_days',
      'initiatives.0.end_offset_days',
    ])
  })

  it('names each invalid field of each step', () => {
    const initiatives = JSON.stringify(
      stepsOf(templateToFields(TEMPLATE)).map((step) => ({
        ...step,
        actions: [{ key: '', title: ' ', due_offset_days: 'soon', assignee_role: '' }],
      })),
    )
    const checked = checkTemplate({ ...blankTemplate(), title: 'Backwards', initiatives })
    expect(checked.ok ? [] : Object.keys(checked.errors).toSorted()).toEqual([
      'initiatives.0.actions.0.due_offset_days',
      'initiatives.0.actions.0.title',
    ])
  })

  it('rejects an initiative that ends before it starts', () => {
    const fields = templateToFields(TEMPLATE)
    const initiatives = JSON.stringify(
      stepsOf(fields).map((step) => ({ ...step, start_offset_days: '20' })),
    )
    const checked = checkTemplate({ ...fields, initiatives })
    expect(checked.ok ? [] : Object.keys(checked.errors)).toEqual(['initiatives.0.end_offset_days'])
  })
})

describe('the days of a plan from a template', () => {
  it('are filled in where left open, and kept where chosen', () => {
    const today = '2026-02-27'
    expect(templatePlanDates(TEMPLATE, {}, today)).toEqual({
      start_date: today,
      end_date: '2026-03-29',
    })
    expect(
      templatePlanDates(TEMPLATE, { start_date: '2026-05-01', end_date: '2026-05-02' }, today),
    ).toEqual({ start_date: '2026-05-01', end_date: '2026-05-02' })
  })

  it('are counted back from an end without a start', () => {
    expect(templatePlanDates(TEMPLATE, { end_date: '2028-03-30' }, '2026-02-27')).toEqual({
      start_date: '2028-02-29',
      end_date: '2028-03-30',
    })
  })

  it('move from a weekend to the next working day where that is wanted', () => {
    // Its action is due after 3 days, on a Saturday; it ends after 10, on a Saturday as well.
    const ends = (skipWeekends: boolean) => {
      const [step] = templateSchedule(TEMPLATE, '2026-02-25', skipWeekends).initiatives
      return [step?.start_date, step?.actions[0]?.due_date, step?.end_date]
    }
    expect(ends(false)).toEqual(['2026-02-25', '2026-02-28', '2026-03-07'])
    expect(ends(true)).toEqual(['2026-02-25', '2026-03-02', '2026-03-09'])
  })

  it('tell how many dates are late or on a weekend', () => {
    expect(dueDays(TEMPLATE, '2026-02-25', '2026-03-02')).toEqual({ late: 1, weekend: 2 })
    expect(dueDays(TEMPLATE, '2026-02-23', '2026-02-23')).toEqual({ late: 0, weekend: 0 })
  })

  it('count from the start', () => {
    const [kickOff] = templateSchedule(TEMPLATE, '2026-02-27').initiatives
    expect([kickOff?.start_date, kickOff?.end_date, kickOff?.actions[0]?.due_date]).toEqual([
      '2026-02-27',
      '2026-03-09',
      '2026-03-02',
    ])
  })
})
