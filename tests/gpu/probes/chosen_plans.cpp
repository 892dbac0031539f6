// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probes/chosen_plans.h"

#include "gpu/histo/plan_chooser.h"
#include "recon/base/error.h"

namespace tof {

namespace {

ModelPlans plansOf(const DirectModel& model, const ThreadPool& pool) {
    std::vector<KernelFrame> frames;
    for (const View& view : model.views) {
        frames.push_back(makeKernelFrame(model.kernel, model.lattice, view));
    }
    const PlanLimits limits{231424, 233472, 132};
    return choosePlans(model, frames, limits, pool, kPlanShapes);
}

bool samePlan(const ModelPlans& l, const ViewPlan& mine, const ModelPlans& r, const ViewPlan& its) {
    return mine.blocks == its.blocks && mine.positions == its.positions && mine.mostRows == its.mostRows &&
           l.lists[mine.lists].sources == r.lists[its.lists].sources &&
           l.lists[mine.lists].weights == r.lists[its.lists].weights;
}

}  // namespace

int countPlansThatDiffer(const DirectModel& model, const std::vector<std::size_t>& some) {
    const ThreadPool pool(2);
    DirectModel alone = model;
    alone.views.clear();
    for (const std::size_t v : some) {
        alone.views.push_back(model.views[v]);
    }
    const ModelPlans all = plansOf(model, pool);
    const ModelPlans few = plansOf(alone, pool);
    if (!all.usable() || !few.usable()) {
        throw InternalError("no plans for this model");
    }
    int differ = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        differ += samePlan(all, all.views[some[i]], few, few.views[i]) ? 0 : 1;
    }
    return differ;
}

}  // namespace tof
