import { useState } from 'react'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../../contract/schemas/success-plans.ts'
import { editRecord } from '../../../data/change-records.ts'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { UNDO_MS } from '../../../sync/enqueue-all.ts'
import { Button } from '../../../ui/button.tsx'
import { OwnerField } from '../../../widgets/editing/owner-field.tsx'
import { StatusChange } from '../detail/status-change.tsx'
import type { ViewContext } from '../list/view.ts'
import { BackOnTrack } from './back-on-track.tsx'
import { DayField } from './day-field.tsx'
import { reviewMessages as messages } from './messages.ts'

interface PlanChangesProps {
  plan: SuccessPlan
  context: ViewContext
  /** Reports a step once it is saved: what it changed, and the id of its record or operation. */
  onStep: (text: string, saved: Promise<string | undefined>) => Promise<void>
  /** Saves an update that can be undone, and goes on to the next plan. */
  onQuickUpdate: (update: SuccessPlanUpdateDraft, draft?: string[]) => Promise<void>
}

/** Changes status, owner and end date, and brings a plan back on track. */
export function PlanChanges({ plan, context, onStep, onQuickUpdate }: PlanChangesProps) {
  const [asking, setAsking] = useState(false)
  const keeps = useKeeps('success_plans')
  const isOff = plan.health === 'at-risk' || plan.health === 'off-track'
  const edit = (text: string, changes: { owner_id: string } | { end_date: string | null }) =>
    void onStep(text, editRecord('success_plans', plan, changes, { delayMs: UNDO_MS }))

  return (
    <section className="mt-6" aria-label={messages.changes}>
      <div className="flex flex-wrap gap-2">
        {isOff && <Button onClick={() => setAsking(true)}>{messages.backOnTrack}</Button>}
        <StatusChange
          plan={plan}
          save={async (update, draft) => {
            // What cannot be saved is the dialog's to show, beside the text.
            const saved = await postUpdate(plan, update, draft, UNDO_MS)
            const { status = plan.status, body = '' } = update
            await onStep(messages.statusMoved(plan.status, status, body), Promise.resolve(saved))
          }}
        />
      </div>
      <div className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3">
        {keeps('owner_id') && (
          <OwnerField
            label={messages.owner}
            {...(!plan.owner_id && { none: messages.noOwner })}
            me={messages.me}
            value={plan.owner_id ?? ''}
            onChange={({ target: { value: owner_id } }) =>
              owner_id !== '' &&
              edit(messages.ownerMoved(context.nameOf('organisation_users', owner_id)), {
                owner_id,
              })
            }
          />
        )}
        {keeps('end_date') && (
          <DayField
            label={messages.endDate}
            value={plan.end_date ?? null}
            min={plan.start_date ?? null}
            onMove={(end_date) => edit(messages.endMoved(end_date), { end_date })}
          />
        )}
      </div>
      {asking && (
        <BackOnTrack
          plan={plan}
          save={(body, draft) => onQuickUpdate({ body, health: 'on-track' }, draft)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}
