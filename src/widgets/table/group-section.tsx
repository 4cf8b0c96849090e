import { useId, type ReactNode } from 'react'
import type { TableGroup } from '../../ui/list/groups.ts'
import { formatNumber } from '../../ui/text/format.ts'

interface GroupSectionProps {
  group: TableGroup<unknown>
  /** Its rows. */
  children: ReactNode
}

/** A group of a list of phones, below its heading with the number of its rows. */
export function GroupSection({ group, children }: GroupSectionProps) {
  const id = useId()
  const { title, detail, items } = group
  return (
    <section aria-labelledby={id}>
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="flex min-w-0 items-baseline gap-2 text-base font-semibold">
          <span className="truncate">{title}</span>
          <span className="text-sm font-normal text-ink-faint tabular-nums">
            {formatNumber(items.length)}
          </span>
        </h2>
        {detail && <p className="text-sm text-ink-muted tabular-nums">{detail}</p>}
      </div>
      {children}
    </section>
  )
}

interface GroupedListProps<T> {
  groups: readonly TableGroup<T>[]
  /** The rows of a group, as a list. */
  list: (items: readonly T[]) => ReactNode
}

/** The groups of a list of phones. */
export const GroupedList = <T,>({ groups, list }: GroupedListProps<T>) => (
  <div className="mt-4 flex flex-col gap-9">
    {groups.map((group) => (
      <GroupSection key={group.key} group={group}>
        {list(group.items)}
      </GroupSection>
    ))}
  </div>
)
