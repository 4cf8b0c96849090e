import { SheetTools } from '../../../widgets/table/sheet-tools.tsx'
import { GroupedList } from '../../../widgets/table/group-section.tsx'
import { useNames } from '../use-names.ts'
import { PlanList, type PlanListProps } from './plan-list.tsx'
import { groupPlans } from './table/grouping.ts'
import { planGroupMessages } from './table/messages.ts'
import { writeSelection, type Group, type Selection } from './view.ts'

interface PhoneToolsProps {
  selection: Selection
  onChange: (change: { group: Group }) => void
}

/** Groups and saved views in the sheet of filters. */
export const PhoneTools = ({ selection, onChange }: PhoneToolsProps) => (
  <SheetTools
    list="plans"
    search={writeSelection(selection).toString()}
    group={selection.group}
    groups={planGroupMessages}
    // Safe cast: one of `groups`.
    onChange={(change) => onChange(change as { group: Group })}
  />
)

/** The plans of a phone in groups. */
export function GroupedPlans({ group, plans, ...props }: PlanListProps & { group: Group }) {
  const groups = groupPlans(plans, group, useNames()) ?? []
  const list = (own: typeof plans) => <PlanList plans={own} {...props} />
  return <GroupedList groups={groups} list={list} />
}
