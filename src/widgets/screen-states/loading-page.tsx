import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { loadingMessages as messages } from './no-data-messages.ts'

/** A screen whose chunk is being loaded: its heading, and the shape of what comes. */
export const LoadingPage = ({ title }: { title: string }) => (
  <>
    <PageHeading title={title} />
    <SkeletonRows label={messages.loading} />
  </>
)
