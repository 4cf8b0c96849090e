import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { FieldErrors } from '../../../contract/errors.ts'
import { ASSIGNEE_ROLES } from '../../../contract/schemas/templates.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { withPresent } from '../../widgets/editing/form-fields.ts'
import type { ActionStep, InitiativeStep } from './template-fields.ts'
import { templateFormMessages as messages } from './messages.ts'

interface StepsEditorProps {
  /** Prefix of the field ids. */
  id: string
  steps: readonly InitiativeStep[]
  /** The plan's last day as typed; new steps end there. */
  last: string
  errors: FieldErrors
  onChange: (steps: InitiativeStep[]) => void
}

/** Edits the initiatives and actions of a template, in days from the plan's start. */
export function StepsEditor({ id, steps, last, errors, onChange }: StepsEditorProps) {
  const change = (at: number, step: InitiativeStep) => onChange(steps.with(at, step))
  const add = () => {
    const start_offset_days = steps.at(-1)?.end_offset_days ?? '0'
    const fresh = { key: newId(), title: '', description: null, actions: [] }
    onChange([...steps, { ...fresh, start_offset_days, end_offset_days: last }])
  }
  return (
    <fieldset id={id} tabIndex={-1} className="outline-none">
      <legend className="text-base font-semibold">{messages.fields.initiatives}</legend>
      <p className="mt-0.5 text-sm text-ink-muted">{messages.stepsLead}</p>
      {steps.map((step, at) => (
        <Initiative
          key={step.key}
          at={at}
          step={step}
          errorOf={(path) => errors[`initiatives.${at}.${path}`]?.[0]}
          onChange={(changed) => change(at, changed)}
          onRemove={() => onChange(steps.toSpliced(at, 1))}
        />
      ))}
      <Button className="mt-4" onClick={add}>
        <Plus aria-hidden />
        {messages.addInitiative}
      </Button>
    </fieldset>
  )
}

interface InitiativeProps {
  at: number
  step: InitiativeStep
  /** The error at a path below this step. */
  errorOf: (path: string) => string | undefined
  onChange: (step: InitiativeStep) => void
  onRemove: () => void
}

function Initiative({ at, step, errorOf, onChange, onRemove }: InitiativeProps) {
  const field = (name: 'title' | 'start_offset_days' | 'end_offset_days') => ({
    value: step[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...step, [name]: event.target.value }),
  })
  const addAction = () =>
    onChange({
      ...step,
      actions: [
        ...step.actions,
        {
          key: newId(),
          title: '',
          description: null,
          due_offset_days: step.end_offset_days,
          assignee_role: 'plan-owner',
        },
      ],
    })
  return (
    <fieldset
      aria-label={messages.initiative(at + 1)}
      className="mt-5 border-t border-line pt-5 first:mt-4"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_6rem_6rem_auto]">
        <div className="col-span-3 sm:col-span-1">
          <TextField label={messages.initiativeTitle} autoComplete="off" {...field('title')} />
        </div>
        <TextField label={messages.from} inputMode="numeric" {...field('start_offset_days')} />
        <TextField label={messages.to} inputMode="numeric" {...field('end_offset_days')} />
        <Remove label={messages.removeInitiative(step.title)} onRemove={onRemove} />
      </div>
      <div className="mt-4 flex flex-col gap-3 border-s-2 border-line ps-4 sm:ps-5">
        {step.actions.map((action, index) => (
          <Action
            key={action.key}
            label={messages.actionOf(index + 1, at + 1)}
            action={action}
            errorOf={(name) => errorOf(`actions.${index}.${name}`)}
            onChange={(changed) =>
              onChange({ ...step, actions: step.actions.with(index, changed) })
            }
            onRemove={() => onChange({ ...step, actions: step.actions.toSpliced(index, 1) })}
          />
        ))}
        <Button variant="quiet" className="-ms-3.5 self-start" onClick={addAction}>
          <Plus aria-hidden />
          {messages.addAction}
        </Button>
      </div>
    </fieldset>
  )
}

interface ActionProps {
  label: string
  action: ActionStep
  errorOf: (name: string) => string | undefined
  onChange: (action: ActionStep) => void
  onRemove: () => void
}

function Action({ label, action, errorOf, onChange, onRemove }: ActionProps) {
  const [present] = useState(action.assignee_role)
  const field = (name: 'title' | 'due_offset_days' | 'assignee_role') => ({
    value: action[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...action, [name]: event.target.value }),
  })
  return (
    <fieldset
      aria-label={label}
      className="grid grid-cols-[5rem_minmax(0,1fr)_auto] items-end gap-x-3 gap-y-2 border-b border-line pb-3 sm:grid-cols-[minmax(0,1fr)_5.5rem_11rem_auto] sm:border-0 sm:pb-0"
    >
      <div className="col-span-3 sm:col-span-1">
        <TextField label={messages.action} autoComplete="off" {...field('title')} />
      </div>
      <TextField label={messages.due} inputMode="numeric" {...field('due_offset_days')} />
      <SelectField label={messages.assignee} {...field('assignee_role')}>
        {['', ...withPresent(ASSIGNEE_ROLES, present)].map((role) => (
          <option key={role} value={role}>
            {messages.role(role)}
          </option>
        ))}
      </SelectField>
      <Remove label={messages.removeAction(action.title)} onRemove={onRemove} />
    </fieldset>
  )
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button icon variant="quiet" aria-label={label} title={label} onClick={onRemove}>
      <Trash2 aria-hidden />
    </Button>
  )
}
