import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../button.tsx'
import { Dialog } from '../../overlay/dialog.tsx'
import { listMessages as messages } from '../messages.ts'
import type { ListFiltersProps } from './list-filters.tsx'

/** Loaded with the first sheet, which waits for it. */
const FilterField = lazy(async () => ({
  default: (await import('./filter-field.tsx')).FilterField,
}))

/**
 * A button that tells how many filters are set, and opens a sheet with all of them and the order, one
 * below the other. They apply at once.
 */
export function PhoneFilters({ filters, onClear, done, sheetTools }: ListFiltersProps) {
  const [open, setOpen] = useState(false)
  const active = filters.filter(({ value, isOrder }) => value !== '' && !isOrder).length
  const close = () => setOpen(false)
  return (
    <>
      <Button aria-haspopup="dialog" className="min-h-10" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden />
        {messages.filter(active)}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={messages.filter(0)}
        actions={
          <>
            <Button unavailable={active === 0 ? messages.noFilter : undefined} onClick={onClear}>
              {messages.clearFilters}
            </Button>
            <Button variant="primary" onClick={close}>
              {done}
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          {filters.map((filter) => (
            <FilterField key={filter.name} {...filter} withLabel />
          ))}
          <Suspense>{sheetTools}</Suspense>
        </div>
      </Dialog>
    </>
  )
}
