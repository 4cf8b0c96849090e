import { lazy, Suspense, type ReactNode } from 'react'
import type { Scene } from './empty-picture.tsx'

// Most starts show none. Where it is not on the device, and cannot be loaded, the words say it all.
const Picture = lazy(() => import('./empty-picture.tsx').catch(() => ({ default: () => null })))

interface EmptyProps {
  title: string
  children?: ReactNode
  /** The next step: one button or link. */
  action?: ReactNode
  /** `start`: nothing here yet. `clear`: everything is done. `fog`: it cannot be shown now. */
  scene?: Scene
  /** Heading level; 1 if it is the whole page. */
  level?: 1 | 2 | 3
}

/** An empty state: a picture, a sentence, and the next step. */
export function Empty({ title, children, action, scene = 'start', level = 2 }: EmptyProps) {
  const Heading = `h${level}` as const
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-12 text-center">
      <svg aria-hidden viewBox="0 0 120 64" className="mb-5 h-24 w-45 max-w-full">
        <Suspense>
          <Picture scene={scene} />
        </Suspense>
      </svg>
      <Heading className="text-lg">{title}</Heading>
      {children && <div className="mt-1.5 text-sm text-pretty text-ink-muted">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
