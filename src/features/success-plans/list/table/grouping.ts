import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { personNamed } from '../../../../data/organisations/person-name.ts'
import type { NameOf } from '../../../../data/record-id.ts'
import type { TableGroup } from '../../../../ui/list/groups.ts'
import { groupMessages as messages } from '../../../../widgets/table/group-messages.ts'
import {
  byAccount,
  byHealth,
  byMonth,
  byOwner,
  byStatus,
  groupItems,
  type Grouping,
} from '../../../../widgets/table/grouping.ts'
import type { Group } from '../view.ts'

const groupings = (nameOf: NameOf): Record<Exclude<Group, ''>, Grouping<SuccessPlan>> => ({
  status: byStatus(({ status }) => status),
  health: byHealth(({ health }) => health),
  owner: byOwner(
    ({ owner_id }) => owner_id,
    (id) => personNamed(nameOf, id),
  ),
  account: byAccount(
    ({ account_id }) => account_id,
    (id) => nameOf('accounts', id),
  ),
  month: byMonth(({ end_date }) => end_date, messages.without.month),
})

/** The plans in groups; undefined if there are none. */
export const groupPlans = (
  plans: readonly SuccessPlan[],
  group: Group,
  nameOf: NameOf,
): readonly TableGroup<SuccessPlan>[] | undefined =>
  group === '' ? undefined : groupItems(plans, groupings(nameOf)[group])
