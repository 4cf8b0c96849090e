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
 * The head of a screen that shows records. The age of its data stands behind the heading, on a phone
 * below it. With a way back the actions stand beside that, so that a long title has the whole width.
 */
export function PageHeader({ age, back, actions, ...heading }: PageHeaderProps) {
  const buttons = actions && (
    <div className="order-2 ms-auto flex shrink-0 items-center gap-1 md:order-3">{actions}</div>
  )
  return (
    <header>
      {back && (
        <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-1 *:mb-0 md:mb-3">
          {back}
          {buttons}
        </div>
      )}
      <div className="flex flex-wrap items-baseline gap-x-3">
        <div className="order-1 min-w-0">
          <PageHeading {...heading} />
        </div>
        <div className="order-3 max-md:basis-full md:order-2">
          <DataAge {...age} />
        </div>
        {!back && buttons}
      </div>
    </header>
  )
}
