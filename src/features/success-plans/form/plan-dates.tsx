import type { Account } from '../../../../contract/schemas/accounts.ts'
import { openRenewal } from '../../../../contract/rules.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import type { Editor } from '../../../widgets/editing/use-editor.tsx'
import { WeekendHint } from '../../../widgets/editing/weekend-hint.tsx'
import { planFormMessages as messages } from '../plan-messages.ts'

interface PlanDatesProps {
  editor: Editor<'start_date' | 'end_date'>
  /** The account of a new plan, whose renewal is offered as the end. */
  account: Account | undefined
  /** Whether an end without a start is counted backwards, by a template. */
  countsBack: boolean
  today: string
}

/** Start and end of a plan. The end can be the renewal of its account. */
export function PlanDates({ editor, account, countsBack, today }: PlanDatesProps) {
  const { field, fields, set } = editor
  const renewal = account && openRenewal(account)
  return (
    <>
      <TextField
        {...field('start_date')}
        type="date"
        hint={countsBack ? messages.startHint : undefined}
        optional
      />
      <div>
        <TextField
          {...field('end_date')}
          type="date"
          hint={countsBack ? messages.endHint : undefined}
          optional
        />
        <WeekendHint day={fields.end_date} onMove={(end_date) => set({ end_date })} />
        {renewal && renewal >= today && renewal !== fields.end_date && (
          <Button
            variant="quiet"
            className="-ms-3.5 mt-1"
            onClick={() => set({ end_date: renewal })}
          >
            {messages.endOnRenewal(renewal)}
          </Button>
        )}
      </div>
    </>
  )
}
