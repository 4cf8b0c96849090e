import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ResourceName } from '../../../contract/resources.ts'
import { mayLack } from '../../data/record-queries.ts'
import { useKeeps, useLastSync, useReadReport } from '../../sync/react/use-sync.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { saveTextFile } from '../../ui/platform/save-text-file.ts'
import { writeCsv } from './csv.ts'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'
import { ColumnMapping } from './column-mapping.tsx'
import { openFile, rowsOfFile, tableOf, type ChosenFile } from './read-list.ts'
import {
  countRows,
  guessColumns,
  headingAt,
  keptColumns,
  lostColumns,
  withDamage,
  type Column,
  type Columns,
  type ImportRow,
  type Table,
} from './table.ts'
import { ENCODINGS } from './decode-file.ts'
import { useImportQueue } from './use-import-queue.ts'
import { importMessages as messages, type ImportKindMessages } from './messages.ts'

interface ImportScreenProps<Name extends string, Draft> {
  kindMessages: ImportKindMessages
  /** Path of the list that is imported into. */
  list: string
  /** The collection of the records. */
  collection: ResourceName
  columns: Columns<Name>
  required: Name
  /** What the rows are compared with: no row is validated until it has been read. */
  compared: Partial<Record<ResourceName, { isPending: boolean; isError?: boolean }>>
  /**
   * Validates each row, on a device that has everything (`isWhole`) or not. Must be stable between renders while
   * its inputs do not change.
   */
  rowsOf: (table: Table<Name>, isWhole: boolean) => ImportRow<Draft>[]
  /** Resolves with the record's id once it is durable on this device. */
  save: (draft: Draft) => Promise<string>
  /** Shown with the recognised columns, before a file is chosen. */
  more?: React.ReactNode
}

/** Imports a list from a file: choose a file, review the rows, save them on this device. */
export function ImportScreen<Name extends string, Draft>(props: ImportScreenProps<Name, Draft>) {
  const { kindMessages, list, collection, required, compared, rowsOf, save, more } = props
  const isDownloaded = typeof useLastSync() === 'number'
  const report = useReadReport()
  const isReading = Object.values(compared).some(({ isPending }) => isPending)
  // Safe cast: the type of the property.
  const isUnread = (Object.keys(compared) as ResourceName[]).some(
    (name) => compared[name]?.isError === true || mayLack(name, report),
  )
  const isWhole = isDownloaded && !isUnread
  const keeps = useKeeps(collection)
  const columns = useMemo(
    () => keptColumns(props.columns, keeps, required),
    [props.columns, keeps, required],
  )
  const navigate = useNavigate()
  const [file, setFile] = useState<ChosenFile>()
  const [problem, setProblem] = useState<string>()
  const { progress, start, stop, reset } = useImportQueue(save)
  const content = useMemo(() => file && rowsOfFile(file), [file])
  const cells = typeof content === 'object' ? content.rows : content
  const cutOff = typeof content === 'object' ? content.cutOff : undefined
  const guessed = useMemo(
    () => (typeof cells === 'object' ? guessColumns(cells[headingAt(cells)] ?? [], columns) : []),
    [cells, columns],
  )
  const [chosenHeading, setChosenHeading] = useState<(Name | undefined)[]>()
  const heading = chosenHeading ?? guessed
  const table = useMemo(
    () => (typeof cells === 'object' ? tableOf(cells, columns, required, heading) : cells),
    [cells, columns, required, heading],
  )
  // Saved records change what counts as a duplicate, so the rows are fixed when saving starts.
  const [savedRows, setSavedRows] = useState<ImportRow<Draft>[]>()
  const rows = useMemo(
    () =>
      savedRows ??
      (typeof table === 'object' && !isReading
        ? withDamage(rowsOf(table, isWhole), table, required, cutOff)
        : undefined),
    [savedRows, table, isReading, rowsOf, isWhole, required, cutOff],
  )

  async function choose(chosen: File | undefined) {
    setFile(undefined)
    setChosenHeading(undefined)
    setProblem(undefined)
    if (!chosen) return
    const opened = await openFile(chosen)
    if (typeof opened === 'string') setProblem(opened)
    else setFile(opened)
  }
  function add() {
    if (!rows) return
    setSavedRows(rows)
    void start(rows.flatMap(({ draft }) => (draft === undefined ? [] : [draft])))
  }

  if (progress?.phase === 'done')
    return (
      <Frame kindMessages={kindMessages} list={list}>
        <ImportResult
          progress={progress}
          messages={kindMessages}
          list={list}
          onAgain={() => {
            reset()
            setSavedRows(undefined)
            setFile(undefined)
            setChosenHeading(undefined)
          }}
        />
      </Frame>
    )
  const fileError = problem ?? (typeof table === 'string' ? table : undefined)
  const counts = rows && countRows(rows)
  const ignored =
    typeof table === 'object' ? [...table.ignored, ...lostColumns(columns, keeps, heading)] : []
  return (
    <Frame kindMessages={kindMessages} list={list}>
      <div className="mt-6 flex flex-col gap-5">
        <FileField
          label={messages.file}
          hint={messages.fileHint}
          error={fileError}
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          disabled={progress !== undefined}
          onChoose={(chosen) => void choose(chosen)}
        />
        {file && (
          <div className="w-64 max-w-full">
            <SelectField
              label={messages.encoding}
              value={file.encoding}
              disabled={progress !== undefined}
              onChange={(event) => {
                const encoding = ENCODINGS.find((one) => one === event.target.value)
                if (encoding) setFile({ ...file, encoding })
              }}
            >
              {ENCODINGS.map((encoding) => (
                <option key={encoding} value={encoding}>
                  {messages.encodings[encoding]}
                </option>
              ))}
            </SelectField>
          </div>
        )}
        {typeof cells !== 'object' && (
          <KnownColumns columns={columns} fileName={kindMessages.fileName} more={more} />
        )}
        {typeof cells === 'object' && (
          <ColumnMapping
            key={file?.name}
            cells={cells.slice(headingAt(cells))}
            columns={columns}
            heading={heading}
            open={guessed.includes(undefined) || new Set(guessed).size < guessed.length}
            disabled={progress !== undefined}
            onChange={setChosenHeading}
          />
        )}
        {typeof table === 'object' && !rows && (
          <SkeletonRows label={messages.readingRecords} rows={3} />
        )}
        {rows && counts && (
          <section aria-labelledby="import-preview">
            <h2 id="import-preview" className="text-lg">
              {messages.previewTitle}
            </h2>
            <output className="mt-1 block text-sm text-ink-muted">
              <span className="block font-semibold text-ink">
                {kindMessages.summaryReady(counts.ready)}
              </span>
              {counts.known > 0 && (
                <span className="block">{messages.summaryKnown(counts.known)}</span>
              )}
              {counts.wrong > 0 && (
                <span className="block">{messages.summaryWrong(counts.wrong)}</span>
              )}
            </output>
            {!isWhole && !progress && (
              <div className="mt-4">
                <Notice tone="warn">{isDownloaded ? messages.unread : messages.incomplete}</Notice>
              </div>
            )}
            {ignored.length > 0 && (
              <div className="mt-4">
                <Notice>{messages.ignored(ignored)}</Notice>
              </div>
            )}
            <ImportPreview rows={rows} columns={columns} titleColumn={columns[required].title} />
            {progress ? (
              <div className="mt-5 flex flex-wrap items-center gap-4">
                <div className="min-w-48 grow">
                  <ProgressBar
                    label={messages.progress}
                    value={Math.round((100 * progress.ids.length) / Math.max(1, progress.all))}
                  />
                  <p className="mt-1.5 text-sm text-ink-muted tabular-nums">
                    {messages.saving(progress.ids.length, progress.all)}
                  </p>
                </div>
                <Button onClick={stop}>{messages.stop}</Button>
              </div>
            ) : (
              <div className="mt-5 flex flex-wrap gap-2">
                {counts.ready > 0 && (
                  <Button variant="primary" onClick={add}>
                    {kindMessages.add(counts.ready)}
                  </Button>
                )}
                <Button onClick={() => void navigate(list)}>{messages.cancel}</Button>
              </div>
            )}
          </section>
        )}
      </div>
    </Frame>
  )
}

interface FrameProps extends Pick<ImportScreenProps<string, unknown>, 'kindMessages' | 'list'> {
  children: React.ReactNode
}

function Frame({ kindMessages, list, children }: FrameProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <BackLink to={list}>{kindMessages.back}</BackLink>
      <PageHeading title={kindMessages.title} />
      <p className="mt-1 max-w-prose text-sm text-ink-muted">{kindMessages.lead}</p>
      {children}
    </div>
  )
}

interface KnownColumnsProps extends Pick<ImportScreenProps<string, unknown>, 'columns' | 'more'> {
  fileName: string
}

function KnownColumns({ columns, fileName, more }: KnownColumnsProps) {
  const titles = Object.values<Column>(columns).map(({ title }) => title)
  return (
    <div className="text-sm text-ink-muted">
      <p>
        {messages.columns} <span className="text-ink">{titles.join(', ')}</span>
      </p>
      <Button
        variant="quiet"
        className="-ms-3.5 mt-2"
        onClick={() => saveTextFile(fileName, writeCsv([titles]), 'text/csv')}
      >
        <Download aria-hidden />
        {messages.emptyFile}
      </Button>
      {more}
    </div>
  )
}
