import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { HEALTHS, type Health } from '../../../../contract/values.ts'
import { SelectField } from '../../../ui/form/field.tsx'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { ProgressChoice } from './progress-choice.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

/** What an update may change of its plan; undefined leaves it as it is. */
export interface UpdatedValues {
  progress?: number | undefined
  health?: Health | undefined
}

interface UpdateValuesProps {
  plan: SuccessPlan
  draft: UpdatedValues
  onChange: (change: UpdatedValues) => void
}

/** Progress and health of an update. */
export function UpdateValues({ plan, draft, onChange }: UpdateValuesProps) {
  return (
    <div className="grid items-end gap-4 @lg:grid-cols-[minmax(0,1fr)_11rem]">
      {plan.progress_mode === 'auto' ? (
        <p className="text-sm text-ink-muted">{messages.autoProgress}</p>
      ) : (
        <ProgressChoice
          from={plan.progress}
          value={draft.progress}
          onChange={(progress) => onChange({ progress })}
        />
      )}
      <SelectField
        label={messages.health}
        value={draft.health ?? ''}
        onChange={(event) =>
          onChange({ health: HEALTHS.find((health) => health === event.target.value) })
        }
      >
        <option value="">{messages.healthSame}</option>
        {HEALTHS.map((health) => (
          <option key={health} value={health}>
            {statusMessages.health(health)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
