import { Suspense, type ReactNode } from 'react'

interface BesideListProps {
  /** The record that is shown beside the list; undefined for none. */
  pane: ReactNode
  /** The list. */
  children: ReactNode
}

/** A list, and the record beside it. */
export const BesideList = ({ pane, children }: BesideListProps) => (
  <div className={pane ? 'grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-5' : ''}>
    {children}
    {pane && <Suspense>{pane}</Suspense>}
  </div>
)
