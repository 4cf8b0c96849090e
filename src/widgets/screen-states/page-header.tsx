import type { ComponentProps, ReactNode } from 'react'
import { PageHeading } from '../../ui/page-heading.tsx'
import { DataAge } from './data-age.tsx'

interface PageHeaderProps extends ComponentProps<typeof PageHeading> {
  age?: ComponentProps<typeof DataAge>
  /** A link to the parent screen. */
  back?: ReactNode
  /** Buttons and links at the end of the first line. */
  actions?: ReactNode
}

/**
 * The head of a screen that shows records: its heading, the age of its data behind that, and the actions. On
 * a phone the age is below the heading, and the actions beside a way back, so that a long title has the
 * whole width.
 */
export function PageHeader({ age, back, actions, ...heading }: PageHeaderProps) {
  const buttons = actions && (
    <div
      className={`order-1 ms-auto flex max-w-full shrink-0 flex-wrap items-center justify-end gap-1 ${back ? 'mb-2 md:mb-0' : ''}`}
    >
      {actions}
    </div>
  )
  return (
    <header className="flex flex-wrap items-baseline gap-x-3">
      {back && <div className="mb-2 *:mb-0 md:mb-0 md:basis-full">{back}</div>}
      {/* Before the heading, so that the next stop of the Tab key after it is what the screen is for. */}
      {back && buttons}
      <div className="min-w-0 flex-1 flex-wrap items-baseline gap-x-3 max-md:contents md:flex">
        <div className={`min-w-0 ${back ? 'max-md:order-2 max-md:basis-full' : ''}`}>
          <PageHeading {...heading} />
        </div>
        <div className="max-md:order-2 max-md:basis-full">
          <DataAge {...age} />
        </div>
      </div>
      {!back && buttons}
    </header>
  )
}
