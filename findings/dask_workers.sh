#!/bin/sh
# Guess: `client.scheduler_info()["workers"]` has an entry for each worker, whatever their number; and `retries=3` of a task is
#        what lets it be run again where its worker is lost, so that retries=0 loses the task with the worker.
# Seen:  of eight workers distributed 2025.7.0 lists five, since `n_workers` of scheduler_info came with a default of 5; 2025.1.0 and
#        2026.7.0 list eight (so do 2025.4.1 to 2026.6.0 five, by their signatures). `client.nthreads()` has all eight in each of them.
#        With retries=0 a task whose worker was killed is run again on another one; the limit is `distributed.scheduler.allowed-failures`.
#        retries=3 is for a task that raises, which runs four times. Both are documented, though not where the other one is.
# It matters to whoever sizes a queue by the workers, as executors do: on a larger cluster all but five of them idle, without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/seen.py" <<'PYTHON'
import os, signal, sys, time
import distributed
from distributed import Client, LocalCluster


def raises(file):
    with open(file, "a") as out:
        out.write("run ")
    raise ValueError("as every time")


def slow_once(file):
    if os.path.exists(file):
        return "run again"
    with open(file + ".new", "w") as out:
        out.write(str(os.getpid()))
    os.rename(file + ".new", file)
    time.sleep(600)


def main(folder):
    with LocalCluster(n_workers=8, threads_per_worker=1, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(8)
        print("distributed", distributed.__version__)
        print("listed by scheduler_info:", len(client.scheduler_info()["workers"]), "by nthreads:", len(client.nthreads()))
        tries = os.path.join(folder, "tries-" + distributed.__version__)
        error = client.submit(raises, tries, retries=3, pure=False).exception()
        print("raises, retries=3:", open(tries).read().count("run"), "runs,", type(error).__name__)
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        file = os.path.join(folder, "slow-" + distributed.__version__)
        future = client.submit(slow_once, file, retries=0, pure=False)
        while not os.path.exists(file):
            time.sleep(0.1)
        os.kill(int(open(file).read()), signal.SIGKILL)
        print("worker killed, retries=0:", future.result(timeout=300))


if __name__ == "__main__":
    main(sys.argv[1])
PYTHON
for version in 2025.1.0 2025.7.0 2026.7.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check "distributed==$version" 2>/dev/null
    "$folder/$version/bin/python" "$folder/seen.py" "$folder" 2>/dev/null
done | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
distributed 2025.1.0
listed by scheduler_info: 8 by nthreads: 8
raises, retries=3: 4 runs, ValueError
worker killed, retries=0: run again
distributed 2025.7.0
listed by scheduler_info: 5 by nthreads: 8
raises, retries=3: 4 runs, ValueError
worker killed, retries=0: run again
distributed 2026.7.0
listed by scheduler_info: 8 by nthreads: 8
raises, retries=3: 4 runs, ValueError
worker killed, retries=0: run again
TEXT
diff "$folder/wanted" "$folder/out"
