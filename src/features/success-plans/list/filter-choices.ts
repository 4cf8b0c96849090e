// The filters of plans: what they are called, and what they offer.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { HEALTHS, PLAN_STATUSES } from '../../../../contract/values.ts'
import { useCurrentSession } from '../../../data/current-session.ts'
import { membersQuery } from '../../../data/organisations/queries.ts'
import { compareText } from '../../../ui/text/format.ts'
import { statusMessages } from '../../../widgets/status/messages.ts'
import { groupMessages } from '../../../widgets/table/group-messages.ts'
import { useNames } from '../use-names.ts'
import { ENDS, NONE, OPEN, unknownStatuses, type Filter } from './view.ts'
import { planMessages } from '../messages.ts'
import { planFilterMessages as messages } from './messages.ts'

/** The label of each filter. */
export const FILTER_LABELS: Record<Filter, string> = {
  status: planMessages.statusLabel,
  health: planMessages.healthLabel,
  owner: planMessages.owner,
  account: planMessages.account,
  end: messages.end,
}

type Options = readonly (readonly [value: string, text: string])[]

/** The choices of each filter; of accounts, those with plans. */
export function useFilterChoices(all: readonly SuccessPlan[]): Record<Filter, Options> {
  const members = useQuery(membersQuery()).data
  const user_id = useCurrentSession()?.user.id
  const nameOf = useNames()
  const statuses = useMemo(() => [...PLAN_STATUSES, ...unknownStatuses(all)], [all])
  const accounts = useMemo(() => {
    const ids = new Set(all.map(({ account_id }) => account_id))
    const named = [...ids].flatMap((id) => {
      const name = nameOf('accounts', id)
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
