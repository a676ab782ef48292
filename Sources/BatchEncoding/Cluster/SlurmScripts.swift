// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import PCMFiles

/// The two scripts of a batch on a Slurm cluster.
struct SlurmScripts {
    /// The working folder.
    let folder: String
    /// The path of the program.
    let program: String
    /// The options that all its calls have: output, encoder, checks.
    let words: [String]
    /// The resources.
    let options: SlurmOptions
    /// Whether some files are shared among the tasks.
    let hasSharedFiles: Bool

    /// The variables that both scripts use.
    private var variables: String {
        """
        linnet=\(ShellText.quoted(program))
        work=\(ShellText.quoted(folder))
        options=(\(ShellText.quoted(words)))
        """
    }

    /// The script of the array, a task of which encodes a shard.
    var task: String {
        let shared = """
            # All tasks encode segments of the longest files.
            run "$work/shared.jsonl" --parts "$work/parts" --contribute
            """
        return """
            #!/bin/bash
            # Written by linnet \(LinnetVersion.current). Each task encodes the files of shard-N.jsonl; what is done already is skipped.
            #SBATCH --job-name=linnet
            \(options.directives(array: true).joined(separator: "\n"))
            # A node that fails, or a job with priority, puts a task back into the queue.
            #SBATCH --requeue
            # Before the time limit the shell gets SIGTERM, with a minute for the files that are being encoded.
            #SBATCH --signal=B:TERM@60
            #SBATCH --open-mode=append
            \(SlurmDirective(outputIn: folder, name: "log-%a.txt").line)
            \(variables)
            shard=$SLURM_ARRAY_TASK_ID
            code=0
            stopped=

            # Runs the program so that signals for this shell reach it.
            run() {
                [ -z "$stopped" ] || return
                "$linnet" batch "$@" "${options[@]}" --grace 40 &
                child=$!
                wait $child; code=$?
                # A signal ends the first wait.
                if [ -n "$stopped" ]; then wait $child; code=$?; fi
            }
            trap 'stopped=1; kill -TERM $child 2>/dev/null' TERM
            \(hasSharedFiles ? shared : "")
            run "$work/shard-$shard.jsonl" --results "$work/results-$shard.jsonl"

            # What was stopped, and what failed, is tried again, three times at most.
            if [ $code -ne 0 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
                scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
                sleep 60
            fi
            exit $code

            """
    }

    /// The script of the job after the array, which joins the segments of shared files and the results of all tasks.
    var finish: String {
        let join = """
            "$linnet" batch "$work/shared.jsonl" --parts "$work/parts" --results "$work/results-shared.jsonl" "${options[@]}"
            """
        return """
            #!/bin/bash
            # Written by linnet \(LinnetVersion.current). Runs when all tasks have ended, in whatever way.
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

    /// The folder of the outputs.
    private var target: String { words.firstIndex(of: "--output").map { words[$0 + 1] } ?? "." }
}
