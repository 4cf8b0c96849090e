import { useState } from 'react'
import type { SuccessPlanUpdate } from '../../../../contract/schemas/success-plans.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { printMessages as messages } from '../plan-messages.ts'

/** The sections that can be left out. */
const SECTIONS = ['facts', 'work', 'health'] as const
type Section = (typeof SECTIONS)[number]

/** What a print sheet shows. */
export interface PrintChoice extends Record<Section, boolean> {
  /** Ids of the updates. */
  updates: readonly string[]
}

/** A customer reads the sheet: what the team wrote for itself is not on it until it is chosen. */
const FOR_CUSTOMERS: PrintChoice = { facts: true, work: true, health: false, updates: [] }

const lastChoice = (_: string, chosen: string) => chosen

/** The choice for one plan, remembered on this device for this user. It can be changed once it `isRead`. */
export function usePrintChoice(plan_id: string) {
  const { restored, save } = useDraft(`print:${plan_id}`, lastChoice)
  const [chosen, setChosen] = useState<PrintChoice>()
  const choose = (choice: PrintChoice) => {
    setChosen(choice)
    save(JSON.stringify(choice))
  }
  return { choice: chosen ?? readChoice(restored), choose, isRead: restored !== undefined }
}

function readChoice(text: string | null | undefined): PrintChoice {
  if (!text) return FOR_CUSTOMERS
  try {
    return { ...FOR_CUSTOMERS, ...(JSON.parse(text) as Partial<PrintChoice>) }
  } catch {
    return FOR_CUSTOMERS
  }
}

interface PrintOptionsProps {
  choice: PrintChoice
  onChoose: (choice: PrintChoice) => void
  /** The updates to choose from, newest first. */
  updates: readonly SuccessPlanUpdate[]
}

/** Which sections and updates the sheet shows. Not printed. */
export function PrintOptions({ choice, onChoose, updates }: PrintOptionsProps) {
  const chosen = new Set(choice.updates)
  const toggle = (id: string, isOn: boolean) =>
    onChoose({
      ...choice,
      updates: isOn ? [...choice.updates, id] : choice.updates.filter((one) => one !== id),
    })
  return (
    <div className="mb-8 rounded-lg bg-sunken px-4 py-3 text-sm print:hidden">
      <fieldset>
        <legend className="py-2 font-semibold">{messages.shows}</legend>
        <div className="flex flex-col flex-wrap gap-x-5 sm:flex-row">
          {SECTIONS.map((name) => (
            <Choice
              key={name}
              label={messages.sections[name]}
              checked={choice[name]}
              onChange={(isOn) => onChoose({ ...choice, [name]: isOn })}
            />
          ))}
        </div>
      </fieldset>
      {updates.length > 0 && (
        <details>
          <summary className="cursor-pointer rounded-sm py-2 font-semibold">
            {messages.chooseUpdates(
              updates.filter(({ id }) => chosen.has(id)).length,
              updates.length,
            )}
          </summary>
          <ul className="max-h-80 overflow-y-auto">
            {updates.map((update) => (
              <li key={update.id}>
                <Choice
                  label={messages.updateOf(update.written_at, update.body)}
                  checked={chosen.has(update.id)}
                  onChange={(isOn) => toggle(update.id, isOn)}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  checked: boolean
  onChange: (isOn: boolean) => void
}

const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <label className="flex min-h-9 min-w-0 cursor-pointer items-center gap-2 coarse:min-h-11">
    <input
      type="checkbox"
      className="size-4 shrink-0"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className="min-w-0 truncate">{label}</span>
  </label>
)
