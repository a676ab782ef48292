// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import PCMFiles
internal import SystemFiles

/// The two scripts of a batch on a Slurm cluster.
struct SlurmScripts {
    let folder: String
    let program: String
    /// The options of all program calls: output, encoder, checks.
    let words: [String]
    let options: SlurmOptions
    /// Whether some files are shared among the tasks.
    let hasSharedFiles: Bool

    /// The shell variables and the folder of both scripts.
    private var variables: String {
        """
        linnet=\(ShellText.quoted(program))
        work=\(ShellText.quoted(folder))
        options=(\(ShellText.quoted(words)))
        # Options can name files relative to the folder of the submission, which not every node needs to have.
        cd \(ShellText.quoted(Folder.current ?? "."))
        """
    }

    /// The script of the array.
    ///
    /// Each task encodes a shard.
    var task: String {
        let shared = """
            # All tasks encode segments of the longest files.
            run "$work/shared.jsonl" --parts "$work/parts" --contribute
            """
        return """
            #!/bin/bash
            # Written by linnet \(LinnetVersion.current). Each task encodes the files of shard-N.jsonl and skips those that are up to date.
            #SBATCH --job-name=linnet
            \(options.directives(array: true).joined(separator: "\n"))
            # Requeue after a node failure or preemption.
            #SBATCH --requeue
            # One minute before the time limit, the shell gets SIGTERM, so that running files can finish.
            #SBATCH --signal=B:TERM@60
            #SBATCH --open-mode=append
            \(SlurmDirective(outputIn: folder, name: "log-%a.txt").line)
            \(variables)
            shard=$SLURM_ARRAY_TASK_ID
            code=0
            stopped=

            # Runs the program in the background, so that the shell receives signals.
            run() {
                # A list is empty if there are more tasks than files that are not shared.
                if [ -e "$1" ] && [ ! -s "$1" ]; then return; fi
                # SIGTERM came before.
                if [ -n "$stopped" ]; then code=143; return; fi
                "$linnet" batch "$@" "${options[@]}" --grace 40 &
                child=$!
                wait $child; code=$?
                # A signal interrupts the first wait.
                if [ -n "$stopped" ]; then wait $child; code=$?; fi
            }
            trap 'stopped=1; kill -TERM $child 2>/dev/null' TERM
            \(hasSharedFiles ? shared : "")
            run "$work/shard-$shard.jsonl" --results "$work/results-$shard.jsonl"

            # Retry stopped and failed files, at most three times.
            if [ $code -ne 0 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
                scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
                sleep 60
            fi
            exit $code

            """
    }

    /// The script of the final job, which joins the segments of shared files and merges the results of all tasks.
    var finish: String {
        let join = """
            "$linnet" batch "$work/shared.jsonl" --parts "$work/parts" --results "$work/results-shared.jsonl" "${options[@]}"
            """
        return """
            #!/bin/bash
            # Written by linnet \(LinnetVersion.current). Runs after all tasks have ended, successfully or not.
            #SBATCH --job-name=linnet-finish
            \(options.directives(array: false).joined(separator: "\n"))
            #SBATCH --requeue
            #SBATCH --open-mode=append
            \(SlurmDirective(outputIn: folder, name: "log-finish.txt").line)
            \(variables)
            \(hasSharedFiles ? join : "")
            exec "$linnet" batch --merge --work "$work" -o \(ShellText.quoted(target))

            """
    }

    private var target: String { words.firstIndex(of: "--output").map { words[$0 + 1] } ?? "." }
}
