// A cadence of one day, which other servers may have, read “Every 1 days”.
import { expect, test } from 'vitest'
import { fieldValue } from '../../../src/data/operations/field-labels.ts'
import { planScreenMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { templateFormMessages, templateMessages } from '../../../src/features/templates/messages.ts'

const textsOf = (days: number) => [
  planScreenMessages.cadenceDays(days),
  templateFormMessages.days(days),
  templateMessages.cadence(days),
  fieldValue('update_cadence_days', days, () => undefined),
]

test('a plan that is updated daily is so every day', () => {
  expect(textsOf(1)).toEqual(['Every day', 'Every day', 'Update every day', 'Every day'])
  expect(textsOf(7)).toEqual([
    'Every 7 days',
    'Every 7 days',
    'Update every 7 days',
    'Every 7 days',
  ])
})
