import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../../contract/values.ts'
import { useCurrentSession } from '../../../../data/current-session.ts'
import { membersQuery } from '../../../../data/organisations/queries.ts'
import { Button } from '../../../../ui/button.tsx'
import { SelectField } from '../../../../ui/form/field.tsx'
import { compareText } from '../../../../ui/text/format.ts'
import { statusMessages } from '../../../../widgets/status/messages.ts'
import { useNames } from '../../use-names.ts'
import { ENDS, FILTERS, NONE, OPEN, unknownStatuses, type Filter, type Selection } from '../view.ts'
import { planMessages } from '../../messages.ts'
import { groupMessages, toolMessages as messages } from './messages.ts'

interface FilterRowProps {
  selection: Selection
  /** All plans, filtered or not. */
  all: readonly SuccessPlan[]
  onChange: (change: Partial<Selection>) => void
}

const LABELS: Record<Filter, string> = {
  status: planMessages.statusLabel,
  health: planMessages.healthLabel,
  owner: planMessages.owner,
  account: planMessages.account,
  end: messages.end,
}

/** The filters, one beside the other. They apply at once. */
export function FilterRow({ selection, all, onChange }: FilterRowProps) {
  const options = useOptions(all)
  const isFiltered = FILTERS.some((name) => selection[name] !== '')
  return (
    <fieldset
      aria-label={messages.filters}
      className="grid basis-full grid-cols-3 items-center gap-2 @4xl:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
    >
      {FILTERS.map((name) => (
        <SelectField
          key={name}
          label={LABELS[name]}
          labelHidden
          value={selection[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          className={selection[name] === '' ? 'text-ink-muted!' : 'font-semibold'}
        >
          {options[name].map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
      <Button
        variant="quiet"
        className={isFiltered ? '' : 'invisible'}
        onClick={() => onChange({ status: '', health: '', owner: '', account: '', end: '' })}
      >
        <X aria-hidden />
        {messages.clear}
      </Button>
    </fieldset>
  )
}

type Options = readonly (readonly [value: string, text: string])[]

/** The choices of each filter; of accounts, those with plans. */
function useOptions(all: readonly SuccessPlan[]): Record<Filter, Options> {
  const members = useQuery(membersQuery()).data
  const user_id = useCurrentSession()?.user.id
  const nameOf = useNames()
  const statuses = useMemo(() => [...PLAN_STATUSES, ...unknownStatuses(all)], [all])
  const accounts = useMemo(() => {
    const ids = new Set(all.map(({ account_id }) => account_id))
    const named = [...ids].flatMap((id) => {
      const name = nameOf(id)
      return id === null || name === undefined ? [] : [[id, name] as const]
    })
    return named.toSorted(([, a], [, b]) => compareText(a, b))
  }, [all, nameOf])
  const { without } = groupMessages
  return {
    status: [
      ['', planMessages.anyStatus],
      [OPEN, planMessages.openStatus],
      ...statuses.map((status) => [status, statusMessages.statusOption(status)] as const),
    ],
    health: [
      ['', planMessages.anyHealth],
      ...HEALTHS.map((health) => [health, statusMessages.health(health)] as const),
      [NONE, without.health],
    ],
    owner: [
      ['', messages.anyOwner],
      ...(members ?? []).map(
        (member) =>
          [member.user_id, member.user_id === user_id ? messages.you : member.name] as const,
      ),
      [NONE, without.owner],
    ],
    account: [['', messages.anyAccount], ...accounts, [NONE, without.account]],
    end: [['', messages.anyEnd], ...ENDS.map((end) => [end, messages.ends[end]] as const)],
  }
}
